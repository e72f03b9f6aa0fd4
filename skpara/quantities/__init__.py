"""The reader of numbers, units, money, dates, times and phone numbers in texts and cells."""

from skpara.quantities._cells import measured as measured
from skpara.quantities._cells import number as number
from skpara.quantities._cells import numbers as numbers
from skpara.quantities._cells import quantities as quantities
from skpara.quantities._cells import sides as sides
from skpara.quantities._dates import YEAR_FIRST as YEAR_FIRST
from skpara.quantities._dates import days as days
from skpara.quantities._dates import iso_form as iso_form
from skpara.quantities._lexicon import ADVERBS as ADVERBS
from skpara.quantities._lexicon import CURRENCIES as CURRENCIES
from skpara.quantities._lexicon import DAYS as DAYS
from skpara.quantities._lexicon import HINTS as HINTS
from skpara.quantities._lexicon import MEASURES_OF_CELLS as MEASURES_OF_CELLS
from skpara.quantities._lexicon import MONTHS as MONTHS
from skpara.quantities._lexicon import ORDINALS as ORDINALS
from skpara.quantities._lexicon import PERIODS as PERIODS
from skpara.quantities._lexicon import PLAIN_DATES as PLAIN_DATES
from skpara.quantities._lexicon import TIMES as TIMES
from skpara.quantities._lexicon import is_size as is_size
from skpara.quantities._phones import PHONE as PHONE
from skpara.quantities._phones import digits as digits
from skpara.quantities._phones import with_plain_phones as with_plain_phones
from skpara.quantities._sentences import Meaning as Meaning
from skpara.quantities._sentences import Quantity as Quantity
from skpara.quantities._sentences import agree as agree
from skpara.quantities._sentences import read as read
