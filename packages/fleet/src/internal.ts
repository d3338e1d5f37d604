// For the packages of this repository alone. These names promise nothing: they change without notice.

export { CHANNEL_TOKEN_VARIABLE, CHANNEL_URL_VARIABLE } from './http/channel-variables.ts'
export { NEW_TOKEN_HEADER } from './http/http-protocol.ts'
