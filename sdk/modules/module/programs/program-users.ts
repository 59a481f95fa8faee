// Finds the Modules that use the copy of a program. A copy without users is deleted; see `program-copies.ts`.
import type { Cluster } from '../../../engine/cluster/cluster.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Store } from '../../../engine/store/store.js'
import { ensureIndex } from '../../../operator/owner/ensure-index.js'
import type { Module } from '../../kinds/module.js'
import { modules } from '../../kinds/module-kind.js'
import { definitionAnnotation } from '../definition/definition.js'
import type { CopyUsers } from './program-copies.js'
import { type CopiesNamespace, copyName } from './program-copy.js'

const indexName = 'modules/program-copy'
/** More characters than any digest has. Users can write a longer text into the annotation of a Module. */
const maxDigestLength = 200

/**
 * The digest of the loaded program of a Module. It is in the frozen definition: the annotation with the definition that
 * the Module was installed by.
 */
export function usedProgram({ metadata }: KubeObject | Module): string | undefined {
  const text = metadata.annotations?.[definitionAnnotation]
  if (!text?.includes('"program"')) return undefined
  try {
    const { program } = JSON.parse(text) as { program?: { digest?: unknown } }
    const digest = program?.digest
    return typeof digest === 'string' && digest.length <= maxDigestLength ? digest : undefined
  } catch {
    return undefined // Not written by the operator. The run of the Module reports it.
  }
}

/** Adds the index of Modules by the name of the copy that they use. */
export function indexByCopy(store: Store, operator: Pick<CopiesNamespace, 'name'>): void {
  ensureIndex(store as Store<KubeObject>, indexName, (module) => copiesUsed(module, operator))
}

/** Answers whether a Module of a cluster uses a copy of an operator. */
export function copyUsers(cluster: Cluster, operator: Pick<CopiesNamespace, 'name'>): CopyUsers {
  const { client, namespace } = cluster
  return {
    isCached: (copy) => cluster.store(modules).byIndex(indexName, copy).length > 0,
    read: async (copy, signal) => {
      const { items } = await client.listAll(modules, { ...(namespace && { namespace }), signal })
      return items.some((module) => copiesUsed(module, operator).includes(copy))
    },
  }
}

/** The names of the copies that a Module uses: one, or none. */
function copiesUsed(module: KubeObject | Module, operator: Pick<CopiesNamespace, 'name'>): string[] {
  const digest = usedProgram(module)
  return digest === undefined ? [] : [copyName(digest, operator)]
}
