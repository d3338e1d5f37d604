/**
 * The program of `node -e` that starts the relay with the given hash, and takes it from its standard input if it is not there
 * yet. Only what has the hash is run, from a folder that belongs to this user. Each use renews the time of the file. An upload
 * removes the files that were not used for a month.
 *
 * Its lines are joined, and it has no quote, backslash or exclamation mark: every shell passes it on in single quotes.
 */
export const BOOTSTRAP: string = [
  'const fs = require("fs"), os = require("os"), path = require("path"), Module = require("module");',
  'const [hash, size, ...args] = process.argv.slice(1);',
  'const say = (facts) => fs.writeSync(1, JSON.stringify({ sandagent: "start", ...facts }) + String.fromCharCode(10));',
  'if (Number(process.versions.node.split(".")[0]) < 20) { say({ node: process.version }); process.exit(1) }',
  'const uid = process.getuid ? process.getuid() : 0;',
  'const home = () => { try { return os.homedir() } catch { return os.tmpdir() } };',
  'const places = [path.join(home(), ".cache", "sandagent"), path.join(os.tmpdir(), "sandagent-" + uid)];',
  'const nameIn = (place) => path.join(place, "relay-" + hash + ".cjs");',
  'const isRight = (bytes) => require("crypto").createHash("sha256").update(bytes).digest("hex") === hash;',
  'const isOthers = (place) => { const owner = fs.lstatSync(place).uid; return owner > uid || owner < uid };',
  'const renew = (file) => { try { fs.utimesSync(file, new Date(), new Date()) } catch {} };',
  'const tidy = (place) => { for (const name of fs.readdirSync(place)) { try { const file = path.join(place, name);',
  'const isOld = fs.lstatSync(file).mtimeMs < Date.now() - 30 * 86400000;',
  'if (isOld && (name.startsWith("relay-") || name.endsWith(".session"))) fs.unlinkSync(file) } catch {} } };',
  'const found = () => { for (const place of places) { try { if (isOthers(place)) continue; const code = fs.readFileSync(nameIn(place));',
  'if (isRight(code)) { renew(nameIn(place)); return { file: nameIn(place), code } } } catch {} } return null };',
  'const take = () => { say({ wants: hash }); const code = Buffer.alloc(Number(size)); let length = 0;',
  'while (length < code.length) { try { const count = fs.readSync(0, code, length, code.length - length, null);',
  'if (count === 0) process.exit(1); length += count } catch (error) { if (error.code === "EOF") process.exit(1);',
  'if (error.code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); else throw error } }',
  'if (isRight(code)) return code; console.error("The relay arrived damaged"); process.exit(1) };',
  'const keep = (code) => { for (const place of places) { try { fs.mkdirSync(place, { recursive: true, mode: 0o700 });',
  'if (isOthers(place)) continue;',
  'const aside = nameIn(place) + "." + process.pid; fs.writeFileSync(aside, code, { mode: 0o600 });',
  'fs.renameSync(aside, nameIn(place)); tidy(place); return nameIn(place) } catch {} }',
  'console.error("No folder is writable for the relay: " + places.join(", ")); process.exit(1) };',
  'const ready = () => { const code = take(); return { file: keep(code), code } };',
  'const { file, code } = found() || ready();',
  'process.argv = [process.execPath, file, ...args];',
  'const relay = new Module(file, null); relay.filename = file; relay.paths = []; relay._compile(String(code), file);',
].join(' ')
