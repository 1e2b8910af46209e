"""The tests that every game must pass: `pytest --pyargs engines.contract --game my_package:MyGame`."""
