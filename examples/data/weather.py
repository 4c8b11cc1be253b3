"""Makes weather.log: python3 examples/data/weather.py (nothing but Python needed).

Twelve bytes of head: "WLOG", bytes of a record, number of records, big-endian. Then records of 13
bytes, as a logger of mixed parts would write them: see FIELDS in examples/binary_log.lua.
"""
import math
import os
import random
import struct

random.seed(3)
hours = 24 * 6
with open(os.path.dirname(os.path.abspath(__file__)) + "/weather.log", "wb") as file:
    file.write(b"WLOG" + struct.pack(">II", 13, 3 * hours))
    for hour in range(hours):
        day = math.cos((hour - 15) * math.pi / 12)
        front = math.tanh((hour - 80) / 10)
        for station, (base, swing) in enumerate([(14, 6), (9, 3), (-4, 5)], 1):
            celsius = base + swing * day - 3 * front + random.gauss(0, 0.5)
            pressure = 1013 - 60 * station + 9 * front + random.gauss(0, 0.3)
            wind = abs(3 + 4 / math.cosh((hour - 80) / 8) + random.gauss(0, 1))
            file.write(struct.pack(">IB", 1792368000 + 3600 * hour, station))
            file.write(struct.pack("<hf", round(100 * celsius), pressure))
            file.write(struct.pack(">H", round(10 * wind)))
