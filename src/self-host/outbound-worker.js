/**
 * Worker that sends the service's requests on one machine, where names may resolve to private addresses. Only the
 * operator's own services may have one. Plain JavaScript, because workerd gets this file without a bundler.
 */
export default {
  fetch(request, env) {
    return env.OPERATOR_HOSTS.split(" ").includes(new URL(request.url).host)
      ? fetch(request)
      : env.PUBLIC_NETWORK.fetch(request);
  },
};
