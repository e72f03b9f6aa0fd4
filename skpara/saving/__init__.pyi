from ._hub import from_hub as from_hub
from ._hub import push_to_hub as push_to_hub
from ._model_file import load_model as load_model
from ._model_file import save_model as save_model
from ._safetensors import SavingMixin as SavingMixin
from ._skops import load_skops as load_skops
from ._skops import trusted_types as trusted_types
