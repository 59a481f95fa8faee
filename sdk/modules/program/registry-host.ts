/** The host with the API of a registry. The names of Docker Hub begin with `docker.io`, where it has no API. */
export const registryHost = (host: string): string =>
  host.toLowerCase() === 'docker.io' ? 'registry-1.docker.io' : host
