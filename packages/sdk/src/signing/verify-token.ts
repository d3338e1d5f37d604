import { type Clock, SIGNATURE_ALGORITHM } from '@sandagent/core/internal'
import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'

/** Checks a token, and gives its claims. @throws what `jwtVerify` of `jose` throws. */
export type VerifyToken = (
  token: string,
  facts: { type: string; clock: Clock } & JWTVerifyOptions,
) => Promise<JWTPayload>

/** Makes the function that checks tokens by public keys. */
export function verifierBy(publicKeys: JSONWebKeySet): VerifyToken {
  const keySet = createLocalJWKSet(publicKeys)
  return async (token, { type, clock, ...options }) => {
    const { payload } = await jwtVerify(token, keySet, {
      ...options,
      typ: type,
      algorithms: [SIGNATURE_ALGORITHM],
      requiredClaims: ['iat', 'exp'],
      currentDate: new Date(clock.now()),
    })
    return payload
  }
}
