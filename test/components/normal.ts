const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
/** The random end of a generated name. */
const suffix = /-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])/g
const address = /\b10\.(?:96|244)\.\d+\.\d+\b/g
/** The name of a Job of a CronJob ends with its minute. */
const minute = /-\d{8}(?![a-z0-9])/g
/** Members that depend on the number of writes, or on the cluster. */
const dropped = new Set(['resourceVersion', 'ca.crt'])
/** Lists without an order. */
const sets = new Set(['items', 'managedFields', 'addresses', 'endpoints'])

/** An object without what differs between two equal clusters. */
export function normal(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) {
    const each = value.map((one) => normal(one))
    return sets.has(name) ? each.sort(byText) : each
  }
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .filter(([member]) => !dropped.has(member))
    .map(([member, each]) => [text(member), normal(each, member)] as const)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function text(value: string): string {
  return value
    .replaceAll(uid, '<uid>')
    .replaceAll(time, '<time>')
    .replaceAll(address, '<address>')
    .replaceAll(minute, '-<minute>')
    .replaceAll(suffix, '-<random>')
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
