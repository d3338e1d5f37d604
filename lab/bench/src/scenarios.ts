import { burst } from './burst/burst.ts'
import { idle } from './burst/idle.ts'
import { fleet } from './fleet/fleet.ts'
import { fleetModel } from './fleet-model/fleet-model.ts'
import { fleetSize } from './fleet-size/fleet-size.ts'
import { isolation } from './isolation/isolation.ts'
import type { Scenario } from './lib/scenario.ts'
import { clutter } from './lists/clutter.ts'
import { inbox } from './lists/inbox.ts'
import { list } from './lists/list.ts'
import { settled } from './lists/settled.ts'
import { poll } from './poll/poll.ts'
import { react } from './react/react.ts'
import { remote } from './remote/remote.ts'
import { replay } from './replay/replay.ts'
import { resume } from './resume/resume.ts'
import { soak } from './soak/soak.ts'
import { crowd } from './stack/crowd.ts'
import { guarantees } from './stack/guarantees.ts'
import { stack } from './stack/stack.ts'
import { start } from './start/start.ts'
import { submit } from './submit/submit.ts'

/** All that can be measured, in the order in which it is measured. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  resume,
  stack,
  guarantees,
  submit,
  burst,
  list,
  idle,
  crowd,
  poll,
  clutter,
  replay,
  react,
  isolation,
  remote,
  start,
  settled,
  inbox,
  soak,
  fleet,
  'fleet-model': fleetModel,
  'fleet-size': fleetSize,
}
