from ._hub import from_hub as from_hub
from ._hub import push_to_hub as push_to_hub
from ._model_file import is_model_file as is_model_file
from ._model_file import load_model as load_model
from ._model_file import read_description as read_description
from ._model_file import save_model as save_model
from ._values import table_in_file as table_in_file
