import type { Module } from '../kinds/module.js'
import type { MadeCall } from './module-call.js'

/** The program of a Module for its status: as its definition names it, or else as it names itself. */
export function programOf(
  { definition, program: said }: MadeCall,
  { metadata }: Module,
): NonNullable<NonNullable<Module['status']>['program']> {
  const { name = said.name ?? metadata.name ?? '', version = said.version } = definition.metadata
  const { digest } = definition.program ?? {}
  return { name, ...(version !== undefined && { version }), ...(digest !== undefined && { digest }) }
}
