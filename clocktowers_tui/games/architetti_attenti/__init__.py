"""The face of Architetti Attenti: the boards, their keys and the words for what happens."""
