import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'
import { isKnownFinalizer, unknownFinalizer } from '../validation/metadata.js'
import { checkLabelName } from '../validation/names.js'
import { checkQualified } from '../validation/values.js'

/** The finalizer that keeps a namespace until it is empty. */
export const namespaceFinalizer = 'kubernetes'

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/ */
export const namespaceRules: KindRules = {
  metadata: {
    name: checkLabelName,
    repeatedOnUpdate: 'change',
  },
  read: {
    selectableFields: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
  },
  setDefaults(object) {
    const { metadata } = object
    metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name ?? '' }
  },
  validate(object, old, subresource) {
    const field = 'spec.finalizers'
    const finalizers = finalizersOf(object)
    if (old === undefined) return finalizers.flatMap((name) => finalizerErrors(name, field))
    if (subresource === 'status') return phaseErrors(object)
    if (subresource !== 'finalize') return []
    return finalizers.flatMap((name, index) => finalizerErrors(name, `${field}[${index}]`))
  },
  create: {
    prepare(object) {
      const givenFinalizers = finalizersOf(object)
      const isThere = givenFinalizers.includes(namespaceFinalizer)
      const finalizers = isThere ? givenFinalizers : [...givenFinalizers, namespaceFinalizer]
      object.spec = { ...recordOf(object.spec), finalizers }
      object.status = { phase: 'Active' }
    },
  },
  update: {
    prepare(object, old) {
      object.spec = old.spec
    },
  },
  delete: {
    returnsObject: true,
  },
}

function finalizersOf(object: OpenObject): readonly string[] {
  const finalizers = fieldAt(object, 'spec', 'finalizers')
  return Array.isArray(finalizers) ? finalizers.map(String) : []
}

function finalizerErrors(name: string, field: string): FieldError[] {
  const unknown = isKnownFinalizer(name) ? [] : [invalidValue(field, name, unknownFinalizer)]
  return [...checkQualified(field, name), ...unknown]
}

/** `ValidateNamespaceStatusUpdate` of Kubernetes v1.36.3. */
function phaseErrors(object: OpenObject): FieldError[] {
  const phase = textAt(object, 'status', 'phase')
  const isEnding = object.metadata.deletionTimestamp !== undefined
  const expected = isEnding ? 'Terminating' : 'Active'
  if (phase === expected) return []
  const when = isEnding ? 'is not empty' : 'is empty'
  return [invalidValue('status.Phase', phase, `may only be '${expected}' if \`deletionTimestamp\` ${when}`)]
}
