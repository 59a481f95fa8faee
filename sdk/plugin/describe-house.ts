import type { Registrant } from '../syncer/registrant.js'
import { describePlugin, type PluginDescription } from './description.js'
import type { House } from './wire.js'

/** Describes what was registered, with every kind that was asked for so far. */
export function describeHouse(
  { ctx, host, virtual }: House,
  registrants: Iterable<Registrant>,
): PluginDescription {
  const reads = { hostReads: host.reads, virtualReads: virtual.reads }
  return describePlugin({ name: ctx.pluginName, registrants, ...reads })
}
