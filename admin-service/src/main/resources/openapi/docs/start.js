// The page only shows the document: it has no field for a token, and sends no requests to the API.
SwaggerUIBundle({
    url: "../openapi.yaml",
    dom_id: "#api",
    docExpansion: "none",
    defaultModelsExpandDepth: -1,
    filter: true,
    supportedSubmitMethods: [],
    validatorUrl: null,
    plugins: [() => ({ wrapComponents: { authorizeBtn: () => () => null } })],
});
