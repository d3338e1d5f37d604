// The parts of the test kit that need neither Node nor a page. `@sandagent/sdk/testing` has them and the rest.

export { createFakeClock, type FakeClock } from './fake-clock.ts'
