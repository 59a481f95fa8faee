import type { Module, ModuleProgram } from '../../kinds/module.js'
import type { MadeCall } from '../call/module-call.js'
import { shownPermissions } from '../programs/shown-permissions.js'

/**
 * The program of a Module for its status, after a call. Name and version come from the definition, or else from the
 * program itself. The version of a program that was accepted later always comes from the program, because the
 * definition is older.
 */
export function programOf(
  { definition, program: stated, methods }: MadeCall,
  { metadata }: Module,
): ModuleProgram {
  const { name = stated.name ?? metadata.name ?? '' } = definition.metadata
  const { digest = stated.digest, accepted } = definition.program ?? {}
  const written = definition.metadata.version
  const version = accepted === undefined ? (written ?? stated.version) : (stated.version ?? written)
  return {
    name,
    ...(version !== undefined && { version }),
    ...(digest !== undefined && { digest }),
    ...(methods.length > 0 && { methods: [...methods] }),
    ...shownPermissions(stated.permissions),
  }
}
