@org.jspecify.annotations.NullMarked
package rookery.helm;
