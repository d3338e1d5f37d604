// Watches one file of a folder, and prints the names that are reported and the warnings, a line of JSON each. argv: the
// module of the watch, the folder, the file.
const [module = '', directory = '', name = ''] = process.argv.slice(2)
const { watchDirectory } = await import(module)
const print = (line) => console.log(JSON.stringify(line))
const start = () =>
  watchDirectory(directory, [name], {
    onChange: (changed) => print({ changed }),
    onWarning: ({ code }) => print({ code }),
  })
start()
// A watcher that comes later hears of the refusal, too.
process.stdin.once('data', start)
