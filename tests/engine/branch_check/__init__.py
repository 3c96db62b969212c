"""Do the records of a branch explain its changes?"""
