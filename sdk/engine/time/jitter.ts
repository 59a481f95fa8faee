/** A time that differs from the given one by up to 10 %, so that many timers do not end at the same time. */
export function withJitter(ms: number): number {
  return Math.round(ms * (0.9 + Math.random() * 0.2))
}
