import { parseJson, stringifyJson } from '../../engine/kube/json.js'
import type { AdmissionAnswer, AdmissionRequest } from '../../engine/webhook/review/admission-review.js'
import type { ServedMethod } from '../calls/service.js'
import type { RegisteredHooks } from '../services/registered-hooks.js'
import { answerClusterDefault, answerClusterValidate } from './admission.js'

/** The admission webhooks of a plugin. */
export type AdmissionMethods = Readonly<Record<'default' | 'validate', ServedMethod>>

/**
 * The admission webhooks as methods whose messages are JSON. A review runs like a gRPC call: with the same time limit,
 * log lines and metrics, and it is shown in the inspector.
 */
export function admissionMethods<P>(hooks: RegisteredHooks<P>): AdmissionMethods {
  return {
    default: admissionMethod('Default', hooks, answerClusterDefault),
    validate: admissionMethod('Validate', hooks, answerClusterValidate),
  }
}

/** A request or an answer as JSON. */
export const encodeAdmission = (message: AdmissionRequest | AdmissionAnswer): Buffer =>
  Buffer.from(stringifyJson(message))

/** Reads an answer from JSON. */
export const decodeAdmissionAnswer = (bytes: Buffer): AdmissionAnswer => parseJson(bytes) as AdmissionAnswer

function admissionMethod<P>(
  name: string,
  hooks: RegisteredHooks<P>,
  answer: typeof answerClusterDefault<P>,
): ServedMethod {
  return {
    path: `/cnpg.AdmissionWebhooks/${name}`,
    call: async (request, call) => encodeAdmission(await answer(hooks, decodeRequest(request), call)),
    read: {
      request: (bytes) => ({ cluster: encodeObject(decodeRequest(bytes).object) }),
      answer: (bytes) => {
        const { patch, status } = decodeAdmissionAnswer(bytes)
        const causes = status?.details?.causes ?? []
        const validationErrors = causes.map(({ field }) => ({ pathComponents: [field] }))
        return { jsonPatch: encodeObject(patch), validationErrors }
      },
    },
  }
}

const decodeRequest = (bytes: Buffer): AdmissionRequest => parseJson(bytes) as AdmissionRequest

/** An object as JSON, as messages of gRPC contain it; undefined if there is none. */
const encodeObject = (value: unknown): Buffer | undefined =>
  value === undefined ? undefined : Buffer.from(stringifyJson(value))
