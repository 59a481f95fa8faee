import type { Module, ModuleProgram } from '../kinds/module.js'
import type { MadeCall } from './module-call.js'
import { shownPermissions } from './shown-permissions.js'

/** The program of a Module for its status: as its definition names it, or else as it names itself. */
export function programOf(
  { definition, program: said, methods }: MadeCall,
  { metadata }: Module,
): ModuleProgram {
  const { name = said.name ?? metadata.name ?? '', version = said.version } = definition.metadata
  const { digest = said.digest } = definition.program ?? {}
  return {
    name,
    ...(version !== undefined && { version }),
    ...(digest !== undefined && { digest }),
    ...(methods.length > 0 && { methods: [...methods] }),
    ...shownPermissions(said.permissions),
  }
}
