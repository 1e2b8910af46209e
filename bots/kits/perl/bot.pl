# A bot that chooses at random, until you write something better into choose.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(shuffle);
use Referee;

# Returns the options to take, from $act->{choice}{low} to $act->{choice}{high} of them, mostly one.
#
# $view, a hash, holds what your seat knows, $act->{events} what has happened since you were last asked.
# Draw random numbers with rand, which follows from the seed and the step, and the bot plays a match again
# as it did before.
sub choose {
    my ($act, $view) = @_;
    my ($low, $high) = @{$act->{choice}}{qw(low high)};
    my @options = shuffle(@{$act->{choice}{options}});
    return @options[0 .. $low + int(rand($high - $low + 1)) - 1];
}

Referee::serve(\&choose);
