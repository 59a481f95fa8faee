/** Numbers that neither distributions nor systemd give to anybody. */
const first = 60_578
const last = 61_183

let next = first

/** The number of a user and a group that nothing else uses. Processes of programs get different ones, in turn. */
export function spareUser(): number {
  const id = next
  next = next === last ? first : next + 1
  return id
}
