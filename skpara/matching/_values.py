"""Readers of cells: quantities, codes, and forms without what is only a way of writing."""

from skpara._folding import PLACEHOLDER as PLACEHOLDER
from skpara._folding import compact as compact
from skpara._folding import fold as fold
from skpara._folding import is_placeholder as is_placeholder
from skpara._folding import key as key
from skpara._folding import record_key as record_key
from skpara.matching._codes import codes as codes
from skpara.quantities import MEASURES_OF_CELLS as MEASURES_OF_CELLS
from skpara.quantities import days as days
from skpara.quantities import digits as digits
from skpara.quantities import iso_form as iso_form
from skpara.quantities import measured as measured
from skpara.quantities import number as number
from skpara.quantities import numbers as numbers
from skpara.quantities import quantities as quantities
from skpara.quantities import sides as sides
from skpara.quantities import with_plain_phones as with_plain_phones
