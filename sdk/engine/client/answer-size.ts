const sizes = new WeakMap<object, number>()

/** Notes the size of the answer that an object was read from, in bytes. */
export function noteSize(object: object, bytes: number): void {
  sizes.set(object, bytes)
}

/** The size of the answer that an object was read from, in bytes; 0 for an object that was made otherwise. */
export const sizeOf = (object: object): number => sizes.get(object) ?? 0
