import HoldfastKit

print("holdfast: no command given")
