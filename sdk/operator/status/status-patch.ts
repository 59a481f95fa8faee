import { isJsonObject, type JsonObject, ownMember } from '../../engine/kube/json-object.js'

/**
 * The merge patch (RFC 7386) that turns the live status into the wanted one. Neither has members that are `null`: such
 * a patch removes a member by `null`, also below other objects. It replaces lists as a whole.
 */
export function statusPatch(live: JsonObject, wanted: JsonObject): JsonObject {
  const removed = Object.keys(live).filter((name) => !Object.hasOwn(wanted, name))
  return Object.fromEntries([
    ...removed.map((name) => [name, null] as const),
    ...Object.entries(wanted).map(([name, value]) => {
      const before = ownMember(live, name)
      const isNested = isJsonObject(before) && isJsonObject(value)
      return [name, isNested ? statusPatch(before, value) : value] as const
    }),
  ])
}
