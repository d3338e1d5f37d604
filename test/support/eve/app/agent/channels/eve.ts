import { none } from 'eve/channels/auth'
import { eveChannel } from 'eve/channels/eve'
export default eveChannel({ auth: [none()] })
