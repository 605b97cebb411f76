-- The rattleback (or celt): it likes to spin one way only.
--
-- Spun the wrong way, it slows down, begins to rattle, and turns back; spun the right way, it just spins. No law is broken:
-- the axes of its mass are turned by a few degrees against the axes of its curved belly, and friction couples
-- spinning to rocking. One direction feeds the rocking along its length until the spin is used up, and the rocking
-- then drives the spin the other way (Walker 1896; the figures are Kane and Levinson's of 1982 at half the size).
scene { title = "Rattleback", tab = "Rolling and spinning", order = 14, seconds = 15,
        camera = { eye = {0.12, -0.34, 0.20}, target = {0, 0, 0}, fov = 34 } }

local spin = param("spin", -5, -12, 12, "spin (rad/s)")
local twist = param("twist", 0.4, -2, 2, "twist of the mass against the shape")
local rock = param("rock", 0.5, 0, 5, "rocking at the start (degrees)")
local resistance = param("resistance", 0.0, 0, 0.2, "spinning resistance (mm)") * 1e-3

local scale = 0.5
material("table", { friction = 1.2, restitution = 0.1 })
material("celt", { friction = 1.2, restitution = 0.1 })
contact("celt", "table", { friction = 1.2, restitution = 0.1, spinning = resistance })

body { name = "table", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "table",
       color = {0.35, 0.24, 0.16}, pattern = "boards" }

-- Kane and Levinson: semi-axes 20, 3, 2 cm, centre of mass 1 cm below the middle, 1 kg, moments 2, 16, 17 and product
-- 0.2, each 1e-4 kg m^2. At another scale lengths go as s, mass as s^3, moments as s^5.
local unit = 1e-4 * scale ^ 5
local a, b, c = 0.20 * scale, 0.03 * scale, 0.02 * scale
local t = math.rad(rock)
body { name = "celt", shape = ellipsoid { radii = {a, b, c} }, mass = 1.0 * scale ^ 3, center = {0, 0, -0.01 * scale},
       inertia = { 2 * unit, 16 * unit, 17 * unit, 0.5 * twist * unit, 0, 0 },
       position = {0, 0, math.sqrt((a * math.sin(t)) ^ 2 + (c * math.cos(t)) ^ 2)}, rotate = { axis = {0, 1, 0}, degrees = rock }, spin = {0, 0, spin},
       material = "celt", color = {0.20, 0.45, 0.42}, pattern = "stripe" }
