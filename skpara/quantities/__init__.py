"""The reader of numbers, units, money, dates, times and phone numbers in texts and cells."""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
