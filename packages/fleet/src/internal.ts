// For the packages of this repository alone. These names promise nothing: they change without notice.

export { checkNamespace, type FleetListOptions, listIn, pageOf } from './fleet-store.ts'
export {
  CHANNEL_TOKEN_VARIABLE,
  CHANNEL_URL_VARIABLE,
  FILE_SIZE_HEADER,
  NEW_TOKEN_HEADER,
} from './http/http-protocol.ts'
export { httpQuestions } from './http/http-runner-channel.ts'
export { latestChanges } from './latest-changes.ts'
