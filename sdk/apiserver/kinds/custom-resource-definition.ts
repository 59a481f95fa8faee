import { invalidValue } from '../validation/field-error.js'
import { type KindRules, type OpenObject, recordOf, textAt } from './kind-rules.js'

function namesOf(object: OpenObject): Record<string, unknown> {
  const names = recordOf(recordOf(object.spec).names)
  const kind = String(names.kind ?? '')
  return {
    ...names,
    singular: names.singular ?? kind.toLowerCase(),
    listKind: names.listKind ?? `${kind}List`,
  }
}

/** https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/ */
export const customResourceDefinitionRules: KindRules = {
  generation: true,
  versionedUpdate: true,
  returnsDeleted: false,
  prepare(object) {
    const spec = recordOf(object.spec)
    object.spec = { ...spec, names: namesOf(object), conversion: spec.conversion ?? { strategy: 'None' } }
  },
  prepareCreate(object) {
    const versions = recordOf(object.spec).versions
    const stored = Array.isArray(versions) ? versions.filter((version) => version.storage === true) : []
    object.status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored.map((version) => version.name),
    }
  },
  validate(object) {
    const expected = `${textAt(object, 'spec', 'names', 'plural')}.${textAt(object, 'spec', 'group')}`
    if (object.metadata.name === expected) return []
    return [invalidValue('metadata.name', object.metadata.name, 'must be spec.names.plural+"."+spec.group')]
  },
}
