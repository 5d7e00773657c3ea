@org.jspecify.annotations.NullMarked
package rookery.bench;
