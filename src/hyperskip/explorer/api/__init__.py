"""The HTTP API: parameters, endpoints, responses and their OpenAPI description."""
