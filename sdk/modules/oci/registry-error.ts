/** A registry does not answer as the specification says, or has not what was asked for. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
}
