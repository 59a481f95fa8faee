// The Modules of each program: an index of their cache, by Workspace and digest.
import { formatKey } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import type { Store } from '../../store/store.js'
import type { Module } from '../kinds/module.js'
import { definitionAnnotation } from './definition.js'
import { copyName } from './program-copies.js'

const index = 'modules/program'

/** A loaded program of a Workspace. */
export interface UsedProgram {
  readonly workspace: Module['spec']['workspace']
  readonly digest: string
}

/** The loaded program of a Module, as it is in its frozen definition. */
export function usedProgram({ metadata, spec }: KubeObject & Partial<Module>): UsedProgram | undefined {
  const text = metadata.annotations?.[definitionAnnotation]
  if (!spec?.workspace || !text?.includes('"program"')) return undefined
  try {
    const { program } = JSON.parse(text) as { program?: { digest?: unknown } }
    const digest = program?.digest
    return typeof digest === 'string' ? { workspace: spec.workspace, digest } : undefined
  } catch {
    return undefined // The text is somebody else's: the run of the Module says so.
  }
}

/** Adds the index to the cache of Modules. */
export function indexByProgram(modules: Store): void {
  ensureIndex(modules as Store<KubeObject>, index, (module) => {
    const used = usedProgram(module as KubeObject & Partial<Module>)
    return used ? [entryOf(used)] : []
  })
}

/** Whether a Module uses a program. */
export const isUsed = (modules: Store, program: UsedProgram): boolean =>
  modules.byIndex(index, entryOf(program)).length > 0

/** Whether a Module uses the program of a copy, which has a name for each Workspace and digest. */
export const isCopyUsed = (modules: Store, copy: string): boolean =>
  modules.list().some((module) => {
    const used = usedProgram(module as KubeObject & Partial<Module>)
    return used !== undefined && copyName(used.digest, used.workspace) === copy
  })

const entryOf = ({ workspace, digest }: UsedProgram) => `${formatKey(workspace)} ${digest}`
