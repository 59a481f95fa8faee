import { invalidValue } from '../validation/field-error.js'
import { validateDataKeys, validateImmutable, validateSize } from './config-map.js'
import { type KindRules, recordOf } from './kind-rules.js'

/** https://kubernetes.io/docs/concepts/configuration/secret/ */
export const secretRules: KindRules = {
  selectable: { type: (object) => String(object.type ?? '') },
  prepare(object) {
    if (object.stringData === undefined) return
    const plain = Object.entries(recordOf(object.stringData))
    const encoded = plain.map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')])
    object.data = { ...recordOf(object.data), ...Object.fromEntries(encoded) }
    delete object.stringData
  },
  validate(object, old) {
    const data = recordOf(object.data)
    const errors = [...validateDataKeys(data), ...validateSize([{}, data], 'data')]
    if (old !== undefined && object.type !== old.type) {
      errors.push(invalidValue('type', object.type, 'field is immutable'))
    }
    return [...errors, ...validateImmutable(object, old, ['data'])]
  },
}
