-- A pinball table that plays by itself: flippers on paths, bumpers that kick, sensors that see and count.
--
-- Light gates over the flippers call the script at the moment when the ball comes in; the flipper then swings along a
-- path, and the ball takes its speed from the surface that hits it. A bumper throws the ball back along the normal with
-- a speed of its own, however the ball came. Score, flips and lost balls are the script's state: go back on the
-- timeline, and they go back too. Change the slope by a hundredth of a degree, and it is another game.
local slope = param("slope", 6.5, 4, 10, "slope of the table (degrees)")
local kick = param("kick", 1.2, 0.3, 2, "speed that a bumper gives (m/s)")
local plunge = param("plunge", 2.0, 1.6, 3, "speed of the plunger (m/s)")
local swing = param("swing", 50, 25, 90, "a flip takes (ms)") * 1e-3

local tilt = math.rad(slope)
scene { title = "Pinball", tab = "Games", order = 21, seconds = 30,
        gravity = { 0, -9.81 * math.sin(tilt), -9.81 * math.cos(tilt) },       -- the table is the plane z = 0
        camera = { eye = {0.42, -0.66, 0.80}, target = {0.015, 0.40, -0.03}, fov = 36 }, show = {"trails"} }
camera("above", { eye = {0, 0.49, 1.75}, target = {0, 0.5, 0}, fov = 36 })
camera("flippers", { eye = {-0.02, -0.22, 0.34}, target = {-0.02, 0.22, 0}, fov = 42 })
camera("ball", { eye = {0.1, -0.35, 0.4}, target = {0.2325, 0.13, 0}, fov = 40, follow = "ball" })

local r, height = 0.0135, 0.03                   -- of the ball; of the walls
local X, lane, top = 0.25, 0.215, 0.75           -- half the width; where the lane begins; where the arch begins
local middle = (lane - 0.01 - X) / 2             -- of the field beside the lane

material("bed", { friction = 0.2, restitution = 0.3, rolling = 2e-5 })
material("wood", { friction = 0.2, restitution = 0.5 })
material("rubber", { friction = 0.5, restitution = 0.7 })
material("steel", { friction = 0.15, restitution = 0.5, density = 7800 })

-- ---- the table ----------------------------------------------------------------------------------

local navy, rail, red = {0.02, 0.05, 0.16}, {0.30, 0.13, 0.05}, {0.75, 0.04, 0.03}
local function block(name, x0, x1, y0, y1, color, z0, z1)
  return body { name = name, motion = "fixed", material = "wood", color = color or rail,
                shape = box { size = { x1 - x0, y1 - y0, (z1 or height) - (z0 or 0) } },
                position = { (x0 + x1) / 2, (y0 + y1) / 2, ((z1 or height) + (z0 or 0)) / 2 } }
end
local outline = {}                               -- of the bed, round at the top
for k = 0, 40 do
  local c, s = (X + 0.03) * math.cos(math.pi * k / 40), (X + 0.03) * math.sin(math.pi * k / 40)
  for z = -0.03, 0, 0.03 do
    outline[#outline + 1] = { c, top + s, z }
    if k % 40 == 0 then outline[#outline + 1] = { c, -0.03, z } end
  end
end
body { name = "bed", motion = "fixed", material = "bed", color = navy, shape = hull { points = outline } }
body { name = "glass", shape = plane { normal = {0, 0, -1}, offset = -0.045 }, visible = false }
block("left wall", -X - 0.03, -X, -0.03, top)
block("right wall", X, X + 0.03, -0.03, top)
block("front", -X, X, -0.03, 0)
block("lane wall", lane - 0.01, lane, 0, 0.70)
block("lane end", lane - 0.008, lane - 0.002, 0.70, 0.712)
local pieces = 30                                -- the arch
for i = 1, pieces do
  local angle = 180 * (i - 0.5) / pieces
  local c, s, R = math.cos(math.rad(angle)), math.sin(math.rad(angle)), X + 0.015
  body { name = "arch " .. i, motion = "fixed", material = "wood", color = rail,
         position = { R * c, top + R * s, height / 2 },
         shape = box { size = { 0.03, 2 * (X + 0.03) * math.tan(math.rad(90 / pieces)), height } },
         rotate = { axis = {0, 0, 1}, degrees = angle } }
end

body { name = "peg", motion = "fixed", material = "rubber", color = "white",      -- where the ball leaves the arch
       shape = cylinder { radius = 0.008, height = height }, position = { -0.135, 0.955, height / 2 } }

-- A convex prism with round corners.
local function prism(corners, radius, z0, z1)
  local points = {}
  for _, p in ipairs(corners) do
    for k = 0, 11 do
      local x, y = p[1] + (p[3] or radius) * math.cos(math.pi * k / 6), p[2] + (p[3] or radius) * math.sin(math.pi * k / 6)
      points[#points + 1] = { x, y, z0 }
      points[#points + 1] = { x, y, z1 }
    end
  end
  return hull { points = points }
end

-- ---- flippers -----------------------------------------------------------------------------------

local length, low, high = 0.078, -28, 27         -- m, degrees
local pivot = { 0.1, 0.16 }                     -- from the middle
local fall = math.tan(math.rad(-low))
local flippers = {}
for side = -1, 1, 2 do
  local which = side < 0 and "left" or "right"
  local x = middle + side * pivot[1]
  local edge = side < 0 and -X or lane - 0.01
  -- The guide along which the ball comes to the flipper, and the sling above it.
  local function line(dx) return pivot[2] + 0.0085 / math.cos(math.rad(low)) + dx * fall end
  body { name = which .. " guide", motion = "fixed", material = "wood", color = rail,
         shape = prism({ { x + side * 0.0101, line(0.0101) }, { edge - side * 0.004, line(math.abs(edge - x) - 0.004) },
                         { edge - side * 0.004, pivot[2] - 0.06 } }, 0.004, 0, height) }
  local s = edge - side * 0.048
  body { name = which .. " sling", motion = "fixed", material = "rubber", color = "white",
         shape = prism({ { s, 0.36 }, { s, 0.275 }, { s - side * 0.055, 0.246 } }, 0.006, 0, height) }
  flippers[which] = { at = { x, pivot[2], height / 2 }, side = side }
  body { name = which .. " flipper", motion = "kinematic", material = "rubber", color = "orange",
         position = flippers[which].at, rotate = { axis = {0, 0, 1}, degrees = -side * low },
         shape = prism({ { 0, 0, 0.011 }, { -side * length, 0, 0.006 } }, 0, -0.013, 0.013) }
  -- The light gate: a thin bar over the outer half of the flipper.
  local c, d = math.cos(math.rad(low)), math.sin(math.rad(low))
  body { name = which .. " gate", motion = "fixed", sensor = true, color = "gold",
         shape = box { size = { 0.044, 0.026, 0.002 } }, rotate = { axis = {0, 0, 1}, degrees = -side * low },
         position = { x - side * (0.056 * c - 0.022 * d), pivot[2] + 0.056 * d + 0.022 * c, 0.001 } }
end

-- ---- bumpers, lanes, plunger ----------------------------------------------------------------------

local bumpers = {}
for i, at in ipairs { { middle - 0.085, 0.68 }, { middle + 0.085, 0.68 }, { middle, 0.55 } } do
  bumpers[i] = body { name = "bumper " .. i, motion = "fixed", material = "rubber", color = red, pattern = "rings",
                      position = { at[1], at[2], 0.02 }, shape = cylinder { radius = 0.03, height = 0.04 } }
end
local lanes = {}
for i = 1, 4 do
  local x = middle + 0.075 * (i - 2.5)
  body { name = "post " .. i, motion = "fixed", material = "rubber", color = "white", position = { x, 0.85, height / 2 },
         shape = prism({ { 0, -0.02 }, { 0, 0.02 } }, 0.006, -height / 2, height / 2) }
  if i > 1 then
    lanes[i - 1] = body { name = "lane " .. i - 1, motion = "fixed", sensor = true, color = "gold",
                          position = { x - 0.0375, 0.85, 0.001 }, shape = cylinder { radius = 0.012, height = 0.002 } }
  end
end
local rest = { (lane + X) / 2, 0.09, 0.0135 }    -- of the plunger's middle
body { name = "plunger", motion = "kinematic", material = "steel", color = "silver", position = rest,
       shape = box { size = { 0.024, 0.05, 0.024 } } }
local start = { rest[1], rest[2] + 0.025 + r, r }
body { name = "ball", shape = sphere { radius = r }, material = "steel", color = "silver", pattern = "halves", position = start,
       trail = true }
body { name = "shooter", motion = "fixed", sensor = true, visible = false, position = { rest[1], 0.13, 0.02 },
       shape = box { size = { 0.03, 0.02, 0.03 } } }
body { name = "drain", motion = "fixed", sensor = true, visible = false, position = { middle, 0.04, 0.02 },
       shape = box { size = { 2 * X - 0.08, 0.06, 0.03 } } }

-- ---- the game -------------------------------------------------------------------------------------

local game = state { score = 0, flips = 0, lost = 0, bumps = 0, lanes = { 0, 0, 0 }, busy = { } }

-- Whether a thing that moves along a path is at rest again; from now on it is not, for so long.
local function claim(world, name, seconds)
  local free = world:time() >= (game.busy[name] or 0)
  if free then game.busy[name] = world:time() + seconds end
  return free
end

-- The plunger is drawn back, and comes forward with its greatest speed on the way. Here and below, a path begins a hair's
-- breadth away from a ball that lies there.
local function shoot(world)
  if not claim(world, "plunger", 1) then return end
  local speed = plunge * random(0.98, 1.02)
  local back = { rest[1], rest[2] - 0.05, rest[3] }
  world:set_path("plunger", { { time = 0, position = { rest[1], rest[2] - 1e-5, rest[3] } }, { time = 0.6, position = back },
                              { time = 0.75, position = back }, { time = 0.75 + 1.5 * 0.05 / speed, position = rest } })
end
on_impact("ball", "drain", function(world)
  game.lost = game.lost + 1
  world:set_position("ball", { start[1], start[2] + 0.05, r })
  world:set_velocity("ball", {0, 0, 0}, {0, 0, 0})
end)

-- Thrown off with the speed v along the normal, in the plane of the table.
local function throw(world, impact, v)
  local now, n = world:body("ball").velocity, impact.normal
  local more = v - (now[1] * n[1] + now[2] * n[2])
  if more > 0 then
    world:set_velocity("ball", { now[1] + more * n[1], now[2] + more * n[2], now[3] })
  end
end
on_impact("ball", bumpers, function(world, impact)
  game.score, game.bumps = game.score + 100, game.bumps + 1
  throw(world, impact, kick)
end)
on_impact("ball", { "left sling", "right sling" }, function(world, impact)
  game.score = game.score + 10
  throw(world, impact, 0.5 * kick)
end)
on_impact("ball", lanes, function(world, impact)
  local i = tonumber(impact.b:match("%d"))
  game.lanes[i] = game.lanes[i] + 1
  game.score = game.score + 50
end)

local function flip(world, which)
  if not claim(world, which, swing + 0.31) then return end
  game.flips = game.flips + 1
  local f = flippers[which]
  local function at(t, degrees)
    return { time = t, position = f.at, rotate = { axis = {0, 0, 1}, degrees = -f.side * degrees } }
  end
  world:set_path(which .. " flipper", { at(0, low - 0.02), at(swing, high), at(swing + 0.12, high), at(swing + 0.3, low) })
end
for which in pairs(flippers) do
  on_impact("ball", which .. " gate", function(world) flip(world, which) end)
end

-- Now and then: a ball that waits for the plunger is shot, and one that lies on a flipper is thrown up.
every(0.25, function(world)
  local v = world:body("ball").velocity
  if v[1] ^ 2 + v[2] ^ 2 > 0.05 ^ 2 then return end
  if #world:inside("shooter") > 0 then shoot(world) end
  for which in pairs(flippers) do
    if #world:inside(which .. " gate") > 0 then flip(world, which) end
  end
end)

label { at = { 0, 1.04, 0.1 }, color = "gold",
        text = function() return ("score %d    flips %d    lost %d"):format(game.score, game.flips, game.lost) end }
measure("score", function() return game.score end)
measure("bumps", function() return game.bumps end, "hits of bumpers")
measure("flips", function() return game.flips end)
measure("lost", function() return game.lost end, "balls lost")
measure("lanes", function() return game.lanes[1] + game.lanes[2] + game.lanes[3] end, "through the lanes")
