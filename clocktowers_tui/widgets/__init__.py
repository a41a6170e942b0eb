"""Parts of screens: values go down into them, messages come up; they know no connection."""
