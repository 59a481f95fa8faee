// The Modules of each program: an index of their cache, by digest.
import type { KubeObject } from '../../kube/object.js'
import { ensureIndex } from '../../operator/owner/ensure-index.js'
import type { Store } from '../../store/store.js'
import type { Module } from '../kinds/module.js'
import { definitionAnnotation } from './definition.js'

const index = 'modules/program'

/** The digest of the loaded program of a Module, as it is in its frozen definition. */
export function usedProgram({ metadata }: KubeObject | Module): string | undefined {
  const text = metadata.annotations?.[definitionAnnotation]
  if (!text?.includes('"program"')) return undefined
  try {
    const { program } = JSON.parse(text) as { program?: { digest?: unknown } }
    const digest = program?.digest
    return typeof digest === 'string' ? digest : undefined
  } catch {
    return undefined // The text is somebody else's: the run of the Module says so.
  }
}

/** Adds the index to the cache of Modules. */
export function indexByProgram(modules: Store): void {
  ensureIndex(modules as Store<KubeObject>, index, (module) => {
    const digest = usedProgram(module)
    return digest === undefined ? [] : [digest]
  })
}

/** Whether a Module uses a program. */
export const isUsed = (modules: Store, digest: string): boolean => modules.byIndex(index, digest).length > 0

/** The digests of all programs that Modules use. */
export const usedPrograms = (modules: Store): Set<string> =>
  new Set(modules.list().flatMap((module) => usedProgram(module as KubeObject) ?? []))
