// The far end of a connection, as an agent could put it in the place of the relay. Its argument says what it does for ever.
const [, , mode] = process.argv
const say = (text) => process.stdout.write(text)
const flood = (text) => {
  const more = () => {
    while (say(text));
    process.stdout.once('drain', more)
  }
  more()
}
const FLOODS = {
  pongs: '{"pong":true}\n'.repeat(1000),
  events: '{"id":9000000,"event":null}\n'.repeat(1000),
  brackets: `${'['.repeat(8 * 1024 * 1024 - 10)}\n`,
  objects: `{"id":1,"value":[${'{},'.repeat(2_700_000)}{}]}\n`,
  'endless line': 'x'.repeat(1024 * 1024),
}
process.stdout.on('error', () => process.exit())
process.stdin.resume().on('end', () => process.exit())
say('{"sandagent":"relay","protocol":1,"version":"1"}\n')
flood(FLOODS[mode])
