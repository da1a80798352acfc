/* global SwaggerUIBundle */
// "Try it out" uses the session of a signed-in browser. A key that is entered at "Authorize" takes precedence.
SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: 'openapi.json',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    request.headers['Citewell-Csrf'] = '1';
    return request;
  },
});
