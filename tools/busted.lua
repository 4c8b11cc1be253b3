-- Starts busted under the interpreter that runs this file, wherever busted's own script lies.
require "busted.runner" {standalone = false}
