import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import { withCondition } from '../custom/definition/conditions.js'
import { versionsOf } from '../custom/definition/definition.js'
import { unknownFormatWarnings } from '../custom/definition/unknown-formats.js'
import { validateDefinition } from '../custom/definition/validate-definition.js'
import type { KindRules } from '../resources/kind-rules.js'

/** Keeps a definition that is being deleted until all its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

function withFullNames(object: OpenObject): Record<string, unknown> {
  const names = recordOf(recordOf(object.spec).names)
  const kind = String(names.kind ?? '')
  return {
    ...names,
    singular: names.singular ?? kind.toLowerCase(),
    ...(kind === '' ? {} : { listKind: names.listKind ?? `${kind}List` }),
  }
}

function storageVersionOf(object: OpenObject): string[] {
  const stored = versionsOf(object).find(({ storage }) => storage)
  return stored === undefined ? [] : [stored.name]
}

/** https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/ */
export const customResourceDefinitionRules: KindRules = {
  metadata: {
    checksFinalizers: false,
    generation: true,
  },
  setDefaults(object) {
    const spec = recordOf(object.spec)
    const conversion = spec.conversion ?? { strategy: 'None' }
    object.spec = { ...spec, names: withFullNames(object), conversion }
  },
  validate: (object, old, subresource) => (subresource === 'status' ? [] : validateDefinition(object, old)),
  create: {
    prepare(object) {
      const acceptedNames = { plural: '', kind: '' }
      object.status = { conditions: null, acceptedNames, storedVersions: storageVersionOf(object) }
    },
    warnings: (object) => unknownFormatWarnings(object),
  },
  update: {
    needsVersion: true,
    prepare(object, old) {
      const oldVersions = fieldAt(old, 'status', 'storedVersions')
      const stored = Array.isArray(oldVersions) ? oldVersions : []
      const added = storageVersionOf(object).filter((name) => !stored.includes(name))
      if (added.length === 0) return
      object.status = { ...recordOf(old.status), storedVersions: [...stored, ...added] }
    },
    warnings: unknownFormatWarnings,
  },
  status: {
    prepare(object) {
      const { storedVersions, ...status } = recordOf(object.status)
      if (Array.isArray(storedVersions) && storedVersions.length > 0) return
      object.status = { ...status, storedVersions: storageVersionOf(object) }
    },
  },
  delete: {
    returnsObject: false,
    begin(object, time) {
      const { finalizers = [], deletionTimestamp } = object.metadata
      if (deletionTimestamp !== undefined) return undefined
      const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon'
      const condition = {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        message,
      } as const
      const marked = withCondition(object, condition, time)
      marked.metadata.deletionTimestamp = time
      marked.metadata.finalizers = [...new Set([...finalizers, cleanupFinalizer])]
      return marked
    },
  },
}
