-- The wing nut that turns over: free flight without gravity.
--
-- Each of these bodies spins about the middle one of its three axes of inertia. That motion is unstable: it goes
-- round quietly, then flips over, spins the other way up for a while, and flips back, for ever (Euler 1758; seen on a
-- wing nut in orbit by Dzhanibekov in 1985). Energy and angular momentum stay the same throughout; the larger
-- the disturbance at the start, the sooner it turns over, as its logarithm.
scene { title = "The tumbling wing nut", tab = "Rolling and spinning", order = 12, seconds = 40, gravity = {0, 0, 0},
        camera = { eye = {0.06, -0.50, 0.10}, target = {0.0, 0, 0.002}, fov = 21 } }

local spin = param("spin", 8, 1, 40, "spin (rad/s)")
local tilt = param("tilt", 0.5, 0.001, 10, "tilt of the spin from the middle axis (degrees)")

material("brass", { friction = 0.3, restitution = 0.6, density = 8500 })
material("steel", { friction = 0.3, restitution = 0.6, density = 7800 })
material("paper", { friction = 0.3, restitution = 0.2, density = 800 })

local c, s = math.cos(math.rad(tilt)), math.sin(math.rad(tilt))

-- Its wings lie in the x-z plane: the thread's axis, z, is the middle axis.
local barrel = cylinder { radius = 0.007, height = 0.010 }
local wing = box { size = {0.016, 0.0035, 0.014} }
body { name = "wing nut", material = "brass", color = {0.85, 0.62, 0.22}, pattern = "plain",
       shape = compound { { shape = barrel },
                          { shape = wing, position = {0.0135, 0, 0.006}, rotate = { axis = {0, 1, 0}, degrees = -25 } },
                          { shape = wing, position = {-0.0135, 0, 0.006}, rotate = { axis = {0, 1, 0}, degrees = 25 } } },
       position = {0.05, 0, 0.042}, spin = { spin * s, 0, spin * c } }

-- A T of two rods: the handle lies along x, the cross bar along y. The middle axis is x.
body { name = "T handle", material = "steel", color = {0.60, 0.63, 0.68}, pattern = "plain",
       shape = compound { { shape = cylinder { radius = 0.005, height = 0.036 }, position = {0.018, 0, 0},
                            rotate = { axis = {0, 1, 0}, degrees = 90 } },
                          { shape = cylinder { radius = 0.005, height = 0.060 },
                            rotate = { axis = {1, 0, 0}, degrees = 90 } } },
       position = {-0.05, 0, 0.042}, spin = { spin * c, spin * s, 0 } }

-- A book, thrown about its middle axis, x, along the shorter edge of its cover.
body { name = "book", material = "paper", color = {0.55, 0.10, 0.10}, pattern = "checker",
       shape = box { size = {0.036, 0.052, 0.009} }, position = {-0.05, 0, -0.044}, rotate = { axis = {1, 0, 0}, degrees = 90 },
       spin = { spin * c, 0, spin * s } }

sample("axis", function(world)
  local nut = world:body("wing nut")
  local d = nut:direction{0, 0, 1}
  return nut.spin[1] * d[1] + nut.spin[2] * d[2] + nut.spin[3] * d[3]
end)
measure("flips", function(world)
  local flips, last = 0, spin
  for _, s in ipairs(world:samples("axis")) do
    if s * last < 0 then flips, last = flips + 1, s end
  end
  return flips
end, "times the wing nut turned over")

-- For comparison: the same book about its axis of largest inertia, across its pages. It does not turn over.
body { name = "steady book", material = "paper", color = {0.10, 0.25, 0.55}, pattern = "checker",
       shape = box { size = {0.036, 0.052, 0.009} }, position = {0.05, 0, -0.044}, rotate = { axis = {1, 0, 0}, degrees = 90 },
       spin = { spin * s, -spin * c, 0 } }
label { body = "T handle", at = {0, 0, 0.039}, text = "T handle" }
label { body = "wing nut", at = {0, 0, 0.039}, text = "wing nut" }
label { body = "book", at = {0, 0, 0.039}, text = "book, middle axis" }
label { body = "steady book", at = {0, 0, 0.039}, text = "book, largest axis" }
