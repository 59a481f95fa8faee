import { parseJson, stringifyJson } from '../../engine/kube/json.js'
import type { AdmissionAnswer, AdmissionRequest } from '../../engine/webhook/review/admission-review.js'
import type { ServedMethod } from '../calls/service.js'
import type { RegisteredHooks } from '../services/registered-hooks.js'
import { answerDefault, answerValidate } from './admission.js'

/** The admission webhooks of a plugin. */
export type AdmissionMethods = Readonly<Record<'default' | 'validate', ServedMethod>>

/**
 * The admission webhooks as methods with JSON: a review has the limit, the log lines, the metrics and the place in the
 * inspector of a gRPC call.
 */
export function admissionMethods<P>(hooks: RegisteredHooks<P>): AdmissionMethods {
  return {
    default: methodOf('Default', hooks, answerDefault),
    validate: methodOf('Validate', hooks, answerValidate),
  }
}

/** The bytes of a request or an answer. */
export const admissionBytes = (message: AdmissionRequest | AdmissionAnswer): Buffer =>
  Buffer.from(stringifyJson(message))

/** The answer in bytes. */
export const admissionAnswer = (bytes: Buffer): AdmissionAnswer => parseJson(bytes) as AdmissionAnswer

function methodOf<P>(name: string, hooks: RegisteredHooks<P>, answer: typeof answerDefault<P>): ServedMethod {
  return {
    path: `/cnpg.AdmissionWebhooks/${name}`,
    call: async (request, call) => admissionBytes(await answer(hooks, requestOf(request), call)),
    read: {
      request: (bytes) => ({ cluster: bytesOf(requestOf(bytes).object) }),
      answer: (bytes) => ({ jsonPatch: bytesOf(admissionAnswer(bytes).patch) }),
    },
  }
}

const requestOf = (bytes: Buffer): AdmissionRequest => parseJson(bytes) as AdmissionRequest

/** As the messages of gRPC have their objects; undefined if there is none. */
const bytesOf = (value: unknown): Buffer | undefined =>
  value === undefined ? undefined : Buffer.from(stringifyJson(value))
