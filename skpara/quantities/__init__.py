"""One reader of numbers, units, money, dates, times and phone numbers, in texts and in cells."""

from skpara.quantities._cells import measured as measured
from skpara.quantities._cells import number as number
from skpara.quantities._cells import numbers as numbers
from skpara.quantities._cells import quantities as quantities
from skpara.quantities._cells import sides as sides
from skpara.quantities._dates import YEAR_FIRST as YEAR_FIRST
from skpara.quantities._dates import days as days
from skpara.quantities._dates import iso_form as iso_form
from skpara.quantities._lexicon import KEPT as KEPT
from skpara.quantities._lexicon import MEASURES_OF_CELLS as MEASURES_OF_CELLS
from skpara.quantities._lexicon import is_size as is_size
from skpara.quantities._phones import PHONE as PHONE
from skpara.quantities._phones import digits as digits
from skpara.quantities._phones import with_plain_phones as with_plain_phones
