/** A registry does not answer as the specification says, or does not have the requested content. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
}
