/** The range of user IDs that neither distributions nor systemd assign. */
const firstUid = 60_578
const lastUid = 61_183

let next = firstUid

/** The ID of a user and a group that nothing else uses. Each process of a program gets the next one. */
export function spareUser(): number {
  const id = next
  next = next === lastUid ? firstUid : next + 1
  return id
}
