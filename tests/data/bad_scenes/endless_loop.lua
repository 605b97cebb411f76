-- expect: 2: the script runs too long; a scene may take 20 million instructions (an endless loop?)
while true do end
