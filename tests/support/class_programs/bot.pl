use strict; use warnings; use JSON::PP;
$| = 1;
while (my $line = <STDIN>) {
  my $message = decode_json($line);
  if ($message->{type} eq "hello") { print qq({"type":"ready","protocol":1,"view":"none"}\n) }
  next unless $message->{type} eq "act";
  my ($choice, @options) = ($message->{choice}, @{$message->{choice}{options}});
  my $move = $choice->{kind} eq "one" ? $options[0] : [@options[0 .. $choice->{low} - 1]];
  print encode_json({ id => $message->{id}, move => $move }), "\n";
}
