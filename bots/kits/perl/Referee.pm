# Talks to the referee: reads its lines, asks choose, writes the answers.
package Referee;

use strict;
use warnings;
use JSON::PP;

# Answers the referee until it closes stdin. An act is the message as a hash, and the "start" of its match.
#
# Set $act->{note} to store a text with the move, which replays show, and $act->{usage} to say what it cost:
# {input_tokens => 412, output_tokens => 37, cost_usd => 0.0002}
sub serve {
    my ($choose) = @_;
    my $json = JSON::PP->new->utf8->canonical;
    my $start;
    $| = 1;
    while (my $line = <STDIN>) {
        my $message = $json->decode($line);
        my $type = $message->{type};
        if ($type eq 'hello') {
            print qq({"type":"ready","protocol":1}\n);
        } elsif ($type eq 'start') {
            $start = $message;
        } elsif ($type eq 'bye') {
            last;
        } elsif ($type eq 'act') {
            my $choice = $message->{choice};
            $message->{choice} = {low => 1, high => 1, %$choice};
            $message->{start} = $start;
            srand(($message->{seed} * 31 + $message->{step}) % 4294967291);
            my @moves = $choose->($message, $message->{view});
            my $move = $choice->{kind} eq 'one' ? $moves[0] : \@moves;
            my %answer = (id => $message->{id}, move => $move);
            $answer{$_} = $message->{$_} for grep { defined $message->{$_} } qw(note usage);
            print $json->encode(\%answer), "\n";
        }
    }
}

1;
