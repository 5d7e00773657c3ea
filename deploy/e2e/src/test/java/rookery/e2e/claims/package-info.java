@org.jspecify.annotations.NullMarked
package rookery.e2e.claims;
